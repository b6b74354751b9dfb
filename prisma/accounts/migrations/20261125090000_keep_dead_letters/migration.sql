-- The facts that a consumer of this service could not take into effect (packages/messaging).
CREATE TABLE dead_letter (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  consumer text NOT NULL,
  message_id text NOT NULL,
  subject text NOT NULL,
  -- As it was told: it may be no text at all.
  body bytea NOT NULL,
  error text NOT NULL,
  attempts integer NOT NULL,
  given_up_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (consumer, message_id)
);
CREATE INDEX dead_letter_given_up ON dead_letter (given_up_at);
