-- Where JetStream stored an event, so that a loss is noticed whichever server lost it.
ALTER TABLE outbox
  -- The sequence that JetStream acknowledged; null of a row that an earlier release published.
  ADD COLUMN stream_seq bigint,
  -- When the event, which the stream lost or may have lost, is published again; part of its message id.
  ADD COLUMN republish_at timestamptz;
CREATE INDEX outbox_stored ON outbox ((headers->>'Fact-Stream'), stream_seq);
