/** How one service uses NATS. */
export abstract class MessagingOptions {
  /** The queue group, the first word of the subjects and the prefix of the durable consumers. */
  abstract readonly service: string
  /** The servers of one NATS cluster, separated by commas; a user and password may stand in the first. */
  abstract readonly natsUrl: string
  /** The Postgres schema with the service's `outbox` and `inbox`; absent in a service without a database. */
  abstract readonly schema?: string
}
