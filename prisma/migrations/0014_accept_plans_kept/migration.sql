-- Every lookup of an accept is by a key, so one plan is right for every call. PostgreSQL cannot know that: it guesses the
-- lists in JSON at a hundred rows, and so planned each call of one send anew, for half of the call's time. Without scans of
-- whole tables, a plan that was made while they were empty stays right when they have grown.
ALTER FUNCTION accept_sends(uuid, json, json, json) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION accept_sends(uuid, json, json, json) SET enable_seqscan = off;
