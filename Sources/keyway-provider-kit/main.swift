import ProviderKit

KitProgram.main()
