#include <nss.h>
#include <pk11pub.h>
