/**
 * The release that this version is part of. Hosts of two releases that follow each other run on one database, so a migration
 * takes nothing away that the release before still uses (`migration-numbers.test.ts`). To begin a release, add one, and name the
 * last migration of the one that ended.
 */
export const release = 2

export const lastOfReleaseBefore = "0022_opted_out"
