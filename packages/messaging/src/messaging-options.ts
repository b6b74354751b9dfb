/** How one service takes part in messaging. */
export abstract class MessagingOptions {
  /** Its queue group, the first word of its subjects, the prefix of its durable consumers. */
  abstract readonly service: string
  /** The servers of one NATS cluster, separated by commas; a user and password may stand in the first. */
  abstract readonly natsUrl: string
  /** The Postgres schema with the service's `outbox` and `inbox`; left out by a service that has no database. */
  abstract readonly schema?: string
}
