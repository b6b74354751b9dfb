import { KEYED_PROVIDERS, PUBLIC_URLS } from './provider-table.js'

/** Where a provider's nodes of a chain are. */
export interface ProvidedNodes {
  readonly provider: string
  readonly endpoints: readonly { readonly url: string; readonly webSocketUrl?: string }[]
  /** Below that of own nodes, which are asked first. */
  readonly priority: number
}

type ProviderName = keyof typeof KEYED_PROVIDERS

const PUBLIC = 'public'
export const PROVIDER_NAMES: readonly string[] = [...Object.keys(KEYED_PROVIDERS), PUBLIC]
const ADDRESS = new RegExp(`^(${PROVIDER_NAMES.join('|')})://(.*)$`, 's')

/** What `alchemy://KEY` and its like stand for on this chain; undefined for any other address. Throws why it stands for nothing, without the key. */
export function providedNodes(address: string, chainId: number): ProvidedNodes | undefined {
  const [, name, key = ''] = ADDRESS.exec(address) ?? []
  if (name === undefined) return undefined
  if (name === PUBLIC) return publicNodes(chainId)
  const provider = isProvider(name) ? KEYED_PROVIDERS[name] : undefined
  if (!provider?.key.test(key)) throw new Error(`must be ${name}://${provider?.form}, with a key as the provider gives it`)
  const networks: Readonly<Record<number, string>> = provider.networks
  const network = networks[chainId]
  if (network === undefined) throw new Error(`names ${name}, which is not known to serve chain id ${chainId}: use its address`)
  return {
    provider: name,
    endpoints: [{ url: provider.url(network, key), webSocketUrl: provider.webSocketUrl(network, key) }],
    priority: -1,
  }
}

function publicNodes(chainId: number): ProvidedNodes {
  const urls = PUBLIC_URLS[chainId]
  if (!urls) throw new Error(`names public nodes, and none are known of chain id ${chainId}`)
  return { provider: PUBLIC, endpoints: urls.map((url) => ({ url })), priority: -2 }
}

function isProvider(name: string): name is ProviderName {
  return name in KEYED_PROVIDERS
}
