import { AREAS, type Deployment } from '../areas.js'

/** As whom the processes of one deployment connect to NATS. */
export interface Identity {
  /** The deployment's name, which its subjects begin with. */
  readonly name: string
  readonly app: string
}

/** An identity for each deployment that uses NATS. */
export function identitiesOf(deployments: readonly Deployment[]): readonly Identity[] {
  const areas: readonly string[] = AREAS
  return deployments.filter(({ app }) => areas.includes(app)).map(({ name, app }) => ({ name, app }))
}

/** The replies to a process arrive at subjects that begin with this and a dot, which no other identity may subscribe to. */
export function inboxPrefix(identity: string): string {
  return `${INBOX}${identity}`
}

/** Whether a reply goes to a client, and not to a subject that means something. */
export function isInbox(subject: string): boolean {
  return subject.startsWith(INBOX)
}

const INBOX = '_INBOX_'
