import type { StreamPlan } from '@trestle/contracts/nats/stream-plans'
import type { ServiceEnv } from '@trestle/runtime/env'

/** How one service uses NATS. */
export abstract class MessagingOptions {
  /** The queue group, the first word of the subjects and the prefix of the durable consumers. */
  abstract readonly service: string
  /** The servers of one NATS cluster, separated by commas; a user and password may stand in the first. */
  abstract readonly natsUrl: string
  /** The seed of the nkey that the service connects with. */
  abstract readonly natsSeed?: string
  abstract readonly natsTls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string }
  /** The Postgres schema with the service's `outbox` and `inbox`; absent in a service without a database. */
  abstract readonly schema?: string
  /** The public halves of accounts' root key: `TRUST_ROOTS`. */
  abstract readonly trustRoots: readonly string[]
  /** Its private half, in accounts only. */
  abstract readonly rootKey?: string
  /** The streams that this service creates for all; only accounts may. */
  abstract readonly streams?: readonly StreamPlan[]
  /** On how many NATS servers each of them is stored. */
  abstract readonly replicas?: number
}

type NatsEnv = Pick<ServiceEnv, 'NATS_URL'> &
  Partial<Pick<ServiceEnv, `NATS_${'NKEY_SEED' | 'CA_FILE' | 'CERT_FILE' | 'KEY_FILE'}` | 'TRUST_ROOTS'>>

/** Where NATS is, as whom to connect, and whom to believe there. */
export function natsOptions({ NATS_URL, NATS_NKEY_SEED, NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE, TRUST_ROOTS = [] }: NatsEnv) {
  return {
    trustRoots: TRUST_ROOTS,
    natsUrl: NATS_URL,
    natsSeed: NATS_NKEY_SEED,
    natsTls: { caFile: NATS_CA_FILE, certFile: NATS_CERT_FILE, keyFile: NATS_KEY_FILE },
  }
}
