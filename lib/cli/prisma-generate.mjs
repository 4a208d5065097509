// Imported before Prisma's command line: what `generate` never calls of it is not installed where Mailroom only runs.
import Module from "node:module"

const unused = /^@prisma\/(dev|studio-core)(\/|$)/
const load = Module._load
Module._load = (name, ...rest) => (unused.test(name) ? {} : load(name, ...rest))
