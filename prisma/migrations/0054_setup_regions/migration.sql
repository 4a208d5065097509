-- Regions that send directly send to others once their set-up has been complete; those that have delivered something do so already.
CREATE TABLE setup_regions (
  region text PRIMARY KEY,
  turned_on_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
INSERT INTO setup_regions (region)
  SELECT one.name FROM unnest(ARRAY['us-east-1', 'eu-west-1', 'af-south-1', 'ap-southeast-1']) AS one (name)
    WHERE EXISTS (SELECT 1 FROM deliveries d WHERE d.region = one.name AND d.status = 'delivered');
