//! Instruction rows and the engines that walk them: decode, print, parse, encode, lift
