import AutoFillBroker

BrokerCommand.main(CommandLine.arguments)
