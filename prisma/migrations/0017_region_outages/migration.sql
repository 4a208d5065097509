-- A relay that cannot be reached is a state of its region, kept once for all workers.
CREATE TABLE "region_outages" (
    "route" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "phase" TEXT NOT NULL,
    "diagnostic" TEXT NOT NULL,
    "probed_at" TIMESTAMPTZ(3),
    "next_probe_at" TIMESTAMPTZ(6) NOT NULL,
    "noted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "region_outages_pkey" PRIMARY KEY ("route")
);

-- Tells whether anything of a region is due without walking its projects.
CREATE INDEX deliveries_region_due ON deliveries (region, due_at) WHERE due_at IS NOT NULL;
-- Mail for the simulator, which goes on while the relay of its region is unreachable.
CREATE INDEX deliveries_simulated_due ON deliveries (region, project_id, due_at)
  WHERE due_at IS NOT NULL AND canonical LIKE '%@simulator.%';
