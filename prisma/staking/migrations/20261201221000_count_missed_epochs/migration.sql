-- For how many epochs in a row the chain has seen nothing signed for an active validator.
ALTER TABLE validator ADD COLUMN missed_epochs integer NOT NULL DEFAULT 0;
