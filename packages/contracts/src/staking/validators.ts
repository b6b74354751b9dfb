import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Digits, Idempotent, Timestamp } from '../fields.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** An address of the execution chain; whether mixed letters are its checksum (EIP-55) is looked at by the service. */
const Address = z.string().regex(ADDRESS, 'must be an address: 0x and 40 hexadecimal digits')

/** With and without 0x, in either case; what is parsed has neither. */
export const PublicKey = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{96}$/, 'must be the public key of a validator: 96 hexadecimal digits')
  .transform((key) => key.replace(/^0x/, '').toLowerCase())
  .meta({ type: 'string', pattern: '^(0x)?[0-9a-fA-F]{96}$' })

export const ChainParams = z.object({ chain: z.string() })
export const ValidatorParams = ChainParams.extend({ pubkey: PublicKey })

export const VALIDATOR_STATUSES = ['pending', 'active', 'exiting', 'exited', 'slashed', 'withdrawn', 'unknown'] as const
export const ValidatorStatus = z.enum(VALIDATOR_STATUSES)
export type ValidatorStatus = z.infer<typeof ValidatorStatus>

/** How far it has come, more finely than `status` says. */
export const VALIDATOR_PHASES = [
  ...(['created', 'ready', 'deposited', 'queued', 'active', 'exiting', 'exited', 'withdrawn'] as const),
  // Somebody else's deposit has bound the key to another withdrawal address: it will never be used.
  'spoiled',
] as const
export const ValidatorPhase = z.enum(VALIDATOR_PHASES)
export type ValidatorPhase = z.infer<typeof ValidatorPhase>

const common = {
  chain: z.string(),
  pubkey: z.string().meta({ description: '96 hexadecimal digits, lower case, without 0x.' }),
  region: z.string(),
  balance: Digits.meta({ description: 'In wei.' }),
  status: ValidatorStatus,
}

const When = Timestamp.nullable()

export const Validator = z
  .object({
    id: z.string().meta({ description: '`<chain>:<pubkey>`' }),
    ...common,
    feeAddress: z.string(),
    startedAt: Timestamp.meta({ description: 'When it was created here.' }),
    user: z.string(),
    withdrawalAddress: z.string(),
    compounding: z.boolean(),
    effectiveBalance: Digits.meta({ description: 'In wei.' }),
    index: z.int().nullable().meta({ description: "The chain's number of it." }),
    phase: ValidatorPhase,
    note: z.string().nullable().meta({ description: 'What it waits for, or what is wrong and what to do.' }),
    slashed: z.boolean(),
    readyAt: When.meta({ description: 'Since then a validator client holds its key and knows its fee address: send the deposit now.' }),
    depositedAt: When,
    activatedAt: When,
    exitRequestedAt: When,
    exitingAt: When,
    exitedAt: When,
    withdrawnAt: When,
    depositData: z
      .string()
      .nullable()
      .meta({ description: 'Call data for the deposit contract; null once it is deposited, or must not be.' }),
    asOf: When.meta({ description: 'When the chain was last asked about it.' }),
  })
  .meta({ id: 'Validator' })
export type Validator = z.infer<typeof Validator>

export const NewValidator = z
  .object({
    withdrawalAddress: Address.meta({ description: 'Who is paid, for ever. Mixed letters must be its checksum (EIP-55).' }),
    feeAddress: Address.optional().meta({ description: 'Who gets the fees of its blocks; by default the withdrawal address.' }),
    region: z.string().max(100).optional(),
    compounding: z
      .boolean()
      .default(false)
      .meta({ description: 'Rewards stay in it and count, up to 2048 ETH (0x02 credentials, EIP-7251).' }),
  })
  .meta({ id: 'NewValidator' })
export type NewValidator = z.output<typeof NewValidator>

export const CreatedValidator = z
  .object({ ...common, depositData: z.string().meta({ description: 'Call data for the deposit contract; send 32 ETH with it.' }) })
  .meta({ id: 'CreatedValidator' })
export type CreatedValidator = z.infer<typeof CreatedValidator>

const FeeAddressChange = z.object({ feeAddress: Address }).meta({ id: 'FeeAddressChange' })

export const ExitConfirmation = z
  .object({
    confirmationDate: z.iso.datetime().optional(),
    confirmationSignature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, 'must be a signature: 0x and 130 hexadecimal digits')
      .optional(),
  })
  .meta({
    id: 'ExitConfirmation',
    description: 'An ERC-191 signature of `{chain}:{pubkey}:{confirmationDate}` by the withdrawal address, where the service asks for one.',
  })
export type ExitConfirmation = z.output<typeof ExitConfirmation>

export const validators = {
  list: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators',
    summary: 'Your validators on a chain, oldest first.',
    access: 'client',
    params: ChainParams,
    status: 200,
    reply: z.array(Validator),
    problems: ['UnknownChain'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators/{pubkey}',
    summary: 'One validator of yours.',
    access: 'client',
    params: ValidatorParams,
    status: 200,
    reply: Validator,
    problems: ['UnknownChain', 'UnknownValidator'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/staking/ethereum/{chain}/validators',
    summary: 'Create a validator: a key in a region, and the deposit to send for it. With an `Idempotency-Key` it is created once.',
    access: 'client',
    params: ChainParams,
    headers: Idempotent,
    body: NewValidator,
    status: 200,
    reply: CreatedValidator,
    problems: ['UnknownChain', 'UnknownRegion', 'InvalidAddress', 'IdempotencyKeyReused', 'LimitExceeded', 'ChainUnavailable'],
  }),
  changeFeeAddress: endpoint({
    method: 'PUT',
    path: '/staking/ethereum/{chain}/validators/{pubkey}',
    summary: 'Change who gets the fees of its blocks; answered when its validator client has it.',
    access: 'client',
    params: ValidatorParams,
    body: FeeAddressChange,
    status: 204,
    problems: ['UnknownChain', 'UnknownValidator', 'InvalidAddress', 'SignerUnavailable'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/staking/ethereum/{chain}/validators/{pubkey}',
    summary: 'Take it out of your list. One that is staking goes on signing until it has exited.',
    access: 'client',
    params: ValidatorParams,
    status: 204,
    problems: ['UnknownChain', 'UnknownValidator', 'ValidatorStaking'],
  }),
  exit: endpoint({
    method: 'POST',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/validatorExit',
    summary: 'End its staking and have everything paid to its withdrawal address. This cannot be taken back.',
    access: 'client',
    params: ValidatorParams,
    body: ExitConfirmation.optional(),
    status: 204,
    problems: ['UnknownChain', 'UnknownValidator', 'ExitNotConfirmed'],
  }),
}
