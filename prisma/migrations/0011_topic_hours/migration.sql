-- CreateTable
CREATE TABLE "topic_hours" (
    "project_id" UUID NOT NULL,
    "topic_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "delayed" INTEGER NOT NULL DEFAULT 0,
    "read_engaged" INTEGER NOT NULL DEFAULT 0,
    "machine_opens" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "topic_hours_pkey" PRIMARY KEY ("project_id","topic_id","hour")
);

-- AddForeignKey
ALTER TABLE "topic_hours" ADD CONSTRAINT "topic_hours_project_id_topic_id_fkey" FOREIGN KEY ("project_id", "topic_id") REFERENCES "topics"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As of metric_hours: the row of the running hour is written again and again.
ALTER TABLE topic_hours SET (fillfactor = 50);
