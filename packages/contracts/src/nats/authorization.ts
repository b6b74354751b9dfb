import type { Identity } from './identities.js'
import { MESSAGES } from './messages.js'
import { type Permissions, permissionsOf } from './permissions.js'

/** A user of the NATS server. */
interface NatsUser extends Permissions {
  /** The public half of its key, or `$NAME` of an environment variable of the server. */
  readonly nkey: string
  /** Shown in the configuration. */
  readonly name: string
}

/** A user for each identity, with the permissions of the platform's contracts. */
export function natsUsers(identities: readonly Identity[], nkeyOf: (identity: Identity) => string): NatsUser[] {
  return identities.map((identity) => ({
    name: identity.name,
    nkey: nkeyOf(identity),
    ...permissionsOf(identity, identities, MESSAGES),
  }))
}

/** The part of a nats-server's configuration that says who may do what. Whoever presents no key of these is refused. */
export function authorization(users: readonly NatsUser[]): string {
  if (users.length === 0) throw new Error('Without a user NATS is open to everybody.')
  return `authorization {
  timeout: 5
  users: [
${users.map(userBlock).join('\n')}
  ]
}
`
}

function userBlock({ name, nkey, publish, subscribe, replies }: NatsUser): string {
  return `    { # ${name}
      nkey: ${nkey}
      permissions: {
        publish: { allow: ${listOf(publish)} }
        subscribe: { allow: ${listOf(subscribe)} }${replies ? '\n        allow_responses: { max: 1, expires: "10s" }' : ''}
      }
    }`
}

function listOf(subjects: readonly string[]): string {
  return `[\n${subjects.map((subject) => `          ${JSON.stringify(subject)}\n`).join('')}        ]`
}
