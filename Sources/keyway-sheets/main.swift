import SheetInterface

SheetProgram.main()
