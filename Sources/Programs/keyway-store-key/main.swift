import StoreKey

StoreKeyProgram.main(CommandLine.arguments)
