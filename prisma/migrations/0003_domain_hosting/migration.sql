-- The zone that holds a domain's records and its name servers, by which the page recognises the DNS provider.
ALTER TABLE "domains" ADD COLUMN "hosting" JSONB;
