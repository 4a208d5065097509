-- Why a region that sends to recipients' servers itself is down: what this machine lacks, as a code with its facts.
ALTER TABLE region_outages ADD COLUMN fault text, ADD COLUMN fault_facts jsonb;
