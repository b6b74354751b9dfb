-- How many calls took how long, by bucket; empty where nobody has measured.
ALTER TABLE usage_hour ADD COLUMN latency bigint[] NOT NULL DEFAULT '{}';
