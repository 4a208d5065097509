-- In projects that hold rather than resend, only a hand-off whose data began to leave is in doubt when its worker is gone.

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "data_attempt" INTEGER;
