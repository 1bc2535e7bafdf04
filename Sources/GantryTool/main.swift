import Foundation
import Gantry

exit(Command.run(Array(CommandLine.arguments.dropFirst()), console: .process()).rawValue)
