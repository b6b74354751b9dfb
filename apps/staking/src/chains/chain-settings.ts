import { isNetworkName, NETWORK_NAMES, type NetworkName } from '@trestle/ethereum/network'
import { z } from 'zod'

/** A chain on which validators are created, as configured. */
export interface ChainSettings {
  readonly name: NetworkName
  /** Beacon nodes that follow the head. They are tried in order; an exit goes to all. */
  readonly beacons: readonly string[]
  /** Beacon nodes that have old states. */
  readonly archives: readonly string[]
  readonly executions: readonly string[]
  readonly regions: readonly RegionSettings[]
}

/** A signer with the beacon nodes beside it. */
export interface RegionSettings {
  readonly name: string
  readonly signer: SignerSettings
}

export type SignerSettings =
  | { readonly kind: 'keymanager'; readonly url: string; readonly tokenFile: string }
  | { readonly kind: 'web3signer'; readonly url: string }

/** Reads the JSON of `CHAINS`. The error names everything that is wrong, and no value: a URL may contain a password. */
export function parseChains(text: string): readonly ChainSettings[] {
  const parsed = Chains.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the list'} ${message}`)
  throw new Error([...new Set(wrong)].join('; '))
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

const Url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const Urls = z.array(Url, 'must be a list of URLs').max(16, 'has more than 16 URLs')

const Signer = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('keymanager'), url: Url, tokenFile: z.string('is required').min(1, 'is required') }),
    z.strictObject({ kind: z.literal('web3signer'), url: Url }),
  ],
  { error: 'must be of the kind keymanager or web3signer' },
)

const Region = z.strictObject({ name: z.string('is required').regex(NAME, 'must be a short name like eu-west-1'), signer: Signer })

const Chain = z.strictObject({
  name: z.custom<NetworkName>((name) => typeof name === 'string' && isNetworkName(name), `must be one of ${NETWORK_NAMES.join(', ')}`),
  beacons: Urls.min(1, 'must have a URL'),
  archives: Urls.default([]),
  executions: Urls.default([]),
  regions: z
    .array(Region, 'must be a list of regions')
    .min(1, 'must have a region')
    .refine(hasNoNameTwice, 'has a name twice')
    // One signer in two regions would look as if the wrong region held its keys.
    .refine((regions) => isUnique(regions.map(({ signer }) => new URL(signer.url).href)), 'has a signer twice'),
})

const Chains = z.array(Chain, 'must be a list of chains').min(1, 'must have a chain').refine(hasNoNameTwice, 'has a name twice')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
}

function hasNoNameTwice(named: readonly { readonly name: string }[]): boolean {
  return isUnique(named.map(({ name }) => name))
}

function isUnique(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length
}
