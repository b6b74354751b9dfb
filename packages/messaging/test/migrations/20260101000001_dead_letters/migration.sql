CREATE TABLE dead_letter (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  consumer text NOT NULL, message_id text NOT NULL, subject text NOT NULL, body bytea NOT NULL, error text NOT NULL,
  attempts integer NOT NULL, given_up_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (consumer, message_id));
