import { Inject, Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Logger } from '@trestle/runtime/logger'
import * as openid from 'openid-client'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { causeChain } from './cause-chain.js'
import { githubEndpoints } from './github.js'
import { ProviderConnection } from './provider-connection.engine.js'
import { type ProviderSettings, rulesOf } from './provider-settings.js'
import { providerUnavailable } from './sign-in-attempt.js'

const HOUR_MS = 3600_000
/** A provider that does not answer is not asked by every visitor. */
const FAILED_FOR_MS = 5000
const TIMEOUT_SECONDS = 5
/** Asymmetric only: with a shared secret, or none, anybody could sign. */
const ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512', 'ES512', 'Ed25519', 'EdDSA']
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const

interface DiscoveredProvider {
  readonly configuration: openid.Configuration
  readonly connection: ProviderConnection
}

interface Discovery {
  readonly provider: Promise<DiscoveredProvider>
  until: number
}

/** What the identity providers say about themselves, asked once an hour. */
@Injectable()
export class DiscoveredProviders {
  private readonly discoveries = new Map<string, Discovery>()

  constructor(
    @Inject(ENV) private readonly env: AccountsEnv,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Problem `ProviderUnavailable` where it cannot be reached, or is not the one that was configured. */
  get(provider: ProviderSettings): Promise<DiscoveredProvider> {
    const now = this.clock.now().getTime()
    const known = this.discoveries.get(provider.id)
    if (known && now < known.until) return known.provider
    const discovery: Discovery = { provider: this.discover(provider), until: now + HOUR_MS }
    this.discoveries.set(provider.id, discovery)
    discovery.provider.catch((error: unknown) => {
      discovery.until = now + FAILED_FOR_MS
      this.logger.warn({ provider: provider.id, reason: causeChain(error) }, 'an identity provider cannot be used')
    })
    return discovery.provider
  }

  private async discover(provider: ProviderSettings): Promise<DiscoveredProvider> {
    const allowsLoopback = this.env.NODE_ENV !== 'production'
    const { metadata, hosts } =
      rulesOf(provider).protocol === 'github'
        ? githubEndpoints(provider.issuer)
        : { metadata: undefined, hosts: [new URL(provider.issuer).hostname] }
    const connection = new ProviderConnection(new Set(hosts), allowsLoopback)
    try {
      const server = metadata ?? (await discovered(provider, connection, allowsLoopback))
      const configuration = configurationOf(provider, checkedMetadata(provider, server, connection))
      configuration[openid.customFetch] = fetchOver(connection)
      configuration.timeout = TIMEOUT_SECONDS
      // The connection itself refuses what is not https, except this machine in development.
      if (allowsLoopback) openid.allowInsecureRequests(configuration)
      // Without it, the signature of an id_token that came directly from the provider would not be checked.
      openid.enableNonRepudiationChecks(configuration)
      return { configuration, connection }
    } catch (error) {
      throw providerUnavailable({ cause: error })
    }
  }
}

async function discovered(
  provider: ProviderSettings,
  connection: ProviderConnection,
  allowsLoopback: boolean,
): Promise<openid.ServerMetadata> {
  const options = {
    [openid.customFetch]: fetchOver(connection),
    timeout: TIMEOUT_SECONDS,
    execute: allowsLoopback ? [openid.allowInsecureRequests] : [],
  }
  const found = await openid.discovery(new URL(provider.issuer), provider.clientId, undefined, openid.None(), options)
  return { ...found.serverMetadata() }
}

function checkedMetadata(
  provider: ProviderSettings,
  metadata: openid.ServerMetadata,
  connection: ProviderConnection,
): openid.ServerMetadata {
  if (metadata.issuer !== provider.issuer) throw new Error(`the issuer calls itself ${metadata.issuer}`)
  for (const name of ENDPOINTS) {
    const url = metadata[name]
    if (url !== undefined && !(URL.canParse(url) && connection.mayCall(new URL(url)))) throw new Error(`${name} may not be called`)
  }
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256']
  const accepted = offered.filter((algorithm) => ALGORITHMS.includes(algorithm))
  if (accepted.length === 0) throw new Error(`id_tokens are signed with ${offered.join(', ')}`)
  return { ...metadata, id_token_signing_alg_values_supported: accepted }
}

function configurationOf({ clientId, clientSecret }: ProviderSettings, metadata: openid.ServerMetadata): openid.Configuration {
  // OpenID Connect Discovery section 3: client_secret_basic is the default.
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_basic')
    ? openid.ClientSecretBasic(clientSecret)
    : openid.ClientSecretPost(clientSecret)
  return new openid.Configuration(metadata, clientId, undefined, authentication)
}

function fetchOver(connection: ProviderConnection): openid.CustomFetch {
  return (url, options) => connection.fetch(url, options)
}
