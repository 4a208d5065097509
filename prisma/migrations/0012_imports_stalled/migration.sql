-- An import that comes no further, however often it is taken up, is given up.

-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "stalled" INTEGER NOT NULL DEFAULT 0;
