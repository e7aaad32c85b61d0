import KeywayCommand

KeywayProgram.main()
