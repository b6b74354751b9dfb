-- Where JetStream stored an event, so that a loss is noticed whichever server lost it.
ALTER TABLE outbox
  -- Events of a stream with the same key are published one after another; null: those of the same subject.
  ADD COLUMN key text,
  -- The sequence that JetStream acknowledged; null of a row that an earlier release published.
  ADD COLUMN stream_seq bigint,
  -- When the event, which the stream lost or may have lost, is published again; part of its message id.
  ADD COLUMN republish_at timestamptz;
CREATE INDEX outbox_stored ON outbox ((headers->>'Fact-Stream'), stream_seq);

-- Of several replicas, the one that has locked this row publishes.
INSERT INTO lock (name) VALUES ('outbox') ON CONFLICT DO NOTHING;
