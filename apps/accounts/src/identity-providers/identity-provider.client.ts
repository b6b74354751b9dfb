import { Inject, Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { Logger } from '@trestle/runtime/logger'
import * as openid from 'openid-client'
import type { AccountsEnv } from '../env.js'
import { FRESH_SECONDS } from '../sessions/session.js'
import { ENV } from '../settings.module.js'
import { causeChain } from './cause-chain.js'
import { DiscoveredProviders } from './discovered-providers.engine.js'
import { authenticationTime, completedClaims, type ExternalIdentity, identityOf } from './external-identity.js'
import { githubApi, githubClaims } from './github.js'
import { type ProviderSettings, rulesOf, scopeOf } from './provider-settings.js'
import { invalidProviderAnswer, providerRefused, providerUnavailable, redirectUri, type SignInAttemptRecord } from './sign-in-attempt.js'

type Claims = Readonly<Record<string, unknown>>

/** Speaks OpenID Connect, and the OAuth of GitHub, with the identity providers. */
@Injectable()
export class IdentityProviderClient {
  constructor(
    private readonly discovered: DiscoveredProviders,
    private readonly logger: Logger,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Where the browser begins: the authorization request, with PKCE (RFC 7636). In a session the provider is asked to sign the user in anew. */
  async authorizationUrl(provider: ProviderSettings, { state, nonce, codeVerifier, sessionId }: SignInAttemptRecord): Promise<string> {
    const { configuration } = await this.discovered.get(provider)
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri(this.env.PUBLIC_URL, provider.id),
      scope: scopeOf(provider),
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(rulesOf(provider).protocol === 'openid' && { nonce }),
      // OpenID Connect Core section 3.1.2.1: with max_age the id_token has auth_time.
      ...(sessionId !== null && rulesOf(provider).saysWhen && { prompt: 'login', max_age: String(FRESH_SECONDS) }),
    }).href
  }

  /** Who has signed in, by the parameters that the provider sent the browser back with. */
  async identify(
    provider: ProviderSettings,
    attempt: SignInAttemptRecord,
    callback: Readonly<Record<string, string>>,
  ): Promise<ExternalIdentity> {
    const { configuration } = await this.discovered.get(provider)
    try {
      const claims = await (rulesOf(provider).protocol === 'github' ? this.askGithub : this.askOpenId)(provider, configuration, {
        attempt,
        url: new URL(`${redirectUri(this.env.PUBLIC_URL, provider.id)}?${new URLSearchParams(callback)}`),
      })
      const identity = identityOf(provider, claims)
      if (!identity) throw new Error('The claims have no valid subject.')
      return { ...identity, authenticatedAt: authenticationTime(provider, claims, this.clock.now()) }
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'ProviderRefused')
        this.logger.warn({ provider: provider.id, reason: causeChain(error) }, 'a sign-in failed at its provider')
      throw problem
    }
  }

  private readonly askOpenId = async (
    provider: ProviderSettings,
    configuration: openid.Configuration,
    { attempt: { state, nonce, codeVerifier }, url }: { attempt: SignInAttemptRecord; url: URL },
  ): Promise<Claims> => {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true }
    const tokens = await openid.authorizationCodeGrant(configuration, url, checks)
    const claims: Claims | undefined = tokens.claims()
    if (!claims || typeof claims['sub'] !== 'string') throw new Error('There is no id_token.')
    if (isComplete(provider, claims) || !configuration.serverMetadata().userinfo_endpoint) return claims
    // Many providers leave these out of the id_token (OpenID Connect Core section 5.4). What it has comes first.
    return completedClaims(claims, await openid.fetchUserInfo(configuration, tokens.access_token, claims['sub']))
  }

  private readonly askGithub = async (
    provider: ProviderSettings,
    configuration: openid.Configuration,
    { attempt: { state, codeVerifier }, url }: { attempt: SignInAttemptRecord; url: URL },
  ): Promise<Claims> => {
    const tokens = await openid.authorizationCodeGrant(configuration, url, { expectedState: state, pkceCodeVerifier: codeVerifier })
    const get = async (from: URL): Promise<unknown> => {
      const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'trestle' })
      return (await openid.fetchProtectedResource(configuration, tokens.access_token, from, 'GET', null, headers)).json()
    }
    const api = githubApi(provider.issuer)
    const [user, emails, teams] = await Promise.all([get(api.user), get(api.emails), provider.groups.size > 0 ? get(api.teams) : []])
    return githubClaims({ user, emails, teams }, provider.groupsClaim)
  }
}

function isComplete({ groups, groupsClaim }: ProviderSettings, claims: Claims): boolean {
  return claims['email'] !== undefined && (groups.size === 0 || claims[groupsClaim] !== undefined || claims['_claim_names'] !== undefined)
}

function problemOf(error: unknown): Problem {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Problem) return cause
  if (error instanceof openid.AuthorizationResponseError) return providerRefused()
  // RFC 6749 section 5.2: the code was used, has expired, or belongs to somebody else.
  if (error instanceof openid.ResponseBodyError)
    return error.error === 'invalid_grant' ? providerRefused() : providerUnavailable({ cause: error })
  return invalidProviderAnswer({ cause: error })
}
