import PasswordStore

runStoreService()
