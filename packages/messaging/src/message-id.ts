/** The id that JetStream knows a message by: another at each republication, since it may remember messages that it has lost. */
export function messageIdOf(eventId: string, republishAt: number | null): string {
  return republishAt === null ? eventId : `${eventId}:${republishAt}`
}

/** The event's own id, which stays the same. */
export function eventIdOf(messageId: string): string {
  return messageId.split(':', 1)[0] ?? messageId
}
