// An address book in a Core Data store, on classes that `gantry model generate` has made of its model.
import Foundation

exit(ContactBook.run(Array(CommandLine.arguments.dropFirst())))
