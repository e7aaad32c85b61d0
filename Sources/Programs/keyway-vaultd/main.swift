import Glibc
import PasswordsService

exit(await VaultDaemon.run())
