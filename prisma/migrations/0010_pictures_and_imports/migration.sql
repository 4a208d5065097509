-- Pictures are swept by key; imports say how far they have read, and keep each row that they refused.

-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "bytes_read" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "failure" TEXT,
ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "import_errors" (
    "project_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "faults" JSONB NOT NULL,

    CONSTRAINT "import_errors_pkey" PRIMARY KEY ("project_id","import_id","line")
);

-- AddForeignKey
ALTER TABLE "import_errors" ADD CONSTRAINT "import_errors_project_id_import_id_fkey" FOREIGN KEY ("project_id", "import_id") REFERENCES "imports"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Below, what Prisma cannot say.

CREATE INDEX contacts_image_key ON contacts (image_key) WHERE image_key IS NOT NULL;
ALTER TABLE imports ADD CONSTRAINT imports_status CHECK (status IN ('queued', 'running', 'completed', 'cancelled', 'failed'));
