import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'
import { PublicKey } from './validators.js'

const Identity = z.string().max(100).meta({
  description: '`tls:` and the SHA-256 of the key in its certificate; `token:` and that of the token which it accepts; or `none`.',
})

export const RegionSigner = z
  .object({
    chain: z.string(),
    region: z.string(),
    state: z
      .enum(['bound', 'other', 'away'])
      .meta({ description: '`other`: another signer answers than the one that was accepted; it gets no keys.' }),
    identity: Identity.nullable().meta({ description: 'Of the signer that the region is bound to.' }),
    boundAt: Timestamp.nullable(),
    acceptedBy: z.string().nullable().meta({ description: 'Null if it was the first to answer.' }),
    other: z
      .object({ identity: Identity, reason: z.enum(['identity', 'keys']), since: Timestamp })
      .nullable()
      .meta({ description: 'What answers instead: another identity, or the same one with none of the keys that it had.' }),
    away: z.object({ reason: z.string(), since: Timestamp }).nullable(),
    keys: z.int(),
    unknownKeys: z.int().meta({ description: 'Keys that it lists and no validator has.' }),
  })
  .meta({ id: 'RegionSigner' })
export type RegionSigner = z.infer<typeof RegionSigner>

export const LostKey = z
  .object({
    chain: z.string(),
    pubkey: z.string(),
    region: z.string(),
    organization: z.string(),
    status: z.string().nullable().meta({ description: 'Of the validator on the chain.' }),
    lostAt: Timestamp,
    silentEpochs: z
      .int()
      .meta({ description: 'For how many epochs the chain has shown nothing signed with it; an active one needs three.' }),
    allowedAt: Timestamp.nullable().meta({ description: 'When its import was allowed; that holds for two hours.' }),
    note: z.string().nullable(),
  })
  .meta({ id: 'LostKey' })
export type LostKey = z.infer<typeof LostKey>

const RegionParams = z.object({ chain: z.string(), region: z.string() })

/** Who has the keys of validators, for administrators. */
export const custody = {
  signers: endpoint({
    method: 'GET',
    path: '/staking/ethereum/signers',
    summary: 'The signer of each region: which one it is bound to, and what answers.',
    access: 'manager',
    status: 200,
    reply: z.array(RegionSigner),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/staking/ethereum/signers/{chain}/{region}/accept',
    summary:
      'Accept the signer that answers now. First make sure that the former one is gone for ever: its keys, unless the new one lists them, then count as lost.',
    access: 'manager',
    params: RegionParams,
    body: z.object({ identity: Identity }).meta({ id: 'SignerAcceptance' }),
    status: 204,
    problems: ['UnknownSigner'],
  }),
  lostKeys: endpoint({
    method: 'GET',
    path: '/staking/ethereum/lost-keys',
    summary: 'Keys that a signer no longer has, the oldest loss first; at most 1000.',
    access: 'manager',
    status: 200,
    reply: z.array(LostKey),
  }),
  recover: endpoint({
    method: 'POST',
    path: '/staking/ethereum/lost-keys/{pubkey}/recover',
    summary:
      'Allow the import of a lost key. First make sure that no other signer has it: two signers get a validator slashed. It waits until the chain was silent.',
    access: 'manager',
    params: z.object({ pubkey: PublicKey }),
    status: 204,
    problems: ['UnknownLostKey'],
  }),
}
