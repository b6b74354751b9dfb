import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jest } from '@jest/globals'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'trestle', secret: 'a secret of the client of at least 32 bytes' }

interface Person {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}

interface Behaviour {
  /** It knows whoever it knew before, whatever it is asked to do, and never says when they signed in. */
  readonly ignoresFreshness?: boolean
}

/** A real OpenID provider on this machine. Whoever `signsIn` is set to is signed in without being asked. */
export async function startOpenIdProvider(redirectUris: readonly string[], { ignoresFreshness = false }: Behaviour = {}) {
  const people = new Map<string, Person>()
  const state = { signsIn: '', asked: 0 }
  let handler: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => handler(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It warns of its defaults, which are right for a test.
  jest.spyOn(console, 'warn').mockReturnValue()
  jest.spyOn(console, 'info').mockReturnValue()
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...redirectUris], require_auth_time: !ignoresFreshness },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['a key of the cookies of this test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  handler = (request, response) => {
    if (ignoresFreshness) request.url = request.url?.replaceAll(/&(prompt|max_age)=[^&]*/g, '')
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    state.asked++
    const result = state.signsIn ? { login: { accountId: state.signsIn } } : { error: 'access_denied', error_description: 'No.' }
    void provider.interactionFinished(request, response, result)
  }
  return {
    issuer,
    /** Says who somebody is from now on, and that they sign in. */
    person(subject: string, person: Person) {
      people.set(subject, person)
      state.signsIn = subject
    },
    /** How often somebody was asked who they are. */
    asked: () => state.asked,
    nobody() {
      state.signsIn = ''
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Follows redirects as a browser does, with its cookies, until one leads to the platform; returns the parameters it brings. */
export async function browse(
  authorizationUrl: string,
  platform: string,
  cookies = new Map<string, string>(),
): Promise<Record<string, string>> {
  let url = new URL(authorizationUrl)
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.href.startsWith(platform)) return Object.fromEntries(url.searchParams)
  }
  throw new Error('too many redirects')
}
