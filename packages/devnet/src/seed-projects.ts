import { messageOf } from '@trestle/problem/thrown'
import { callApi, DEMO, signInAs } from './seed.js'

interface Project {
  readonly id: string
  readonly name: string
}

interface ClientKey {
  readonly clientId: string
  readonly clientSecret: string
}

const NAME = 'Demo'

interface SeededProjects {
  /** Where the demo user's calls go, by deployment. */
  readonly urls: ReadonlyMap<string, string>
  readonly notes: readonly string[]
}

/** Ensures, through the public API, that the demo user has a project at each of these gateways; idempotent. */
export async function seedProjects(ingress: string, gateways: readonly string[]): Promise<SeededProjects> {
  const urls = new Map<string, string>()
  const account = gateways.length > 0 && (await signInAs(`${ingress}/accounts`, DEMO))
  if (!account) return { urls, notes: [] }
  const notes: string[] = []
  await withClientToken(`${ingress}/accounts`, account, async (token) => {
    for (const name of gateways) {
      try {
        urls.set(name, `${ingress}/${name}/v1/${await ensureProject(`${ingress}/${name}/projects`, token)}`)
      } catch (error) {
        notes.push(`/${name} has no demo project. ${messageOf(error)}`)
      }
    }
  })
  return { urls, notes }
}

async function ensureProject(projects: string, token: string): Promise<string> {
  const known = await callApi<Project[]>(projects, { token })
  const found = known.find(({ name }) => name === NAME)
  const { id } = found ?? (await callApi<Project>(projects, { token, method: 'POST', body: { name: NAME } }))
  return id
}

/** With a client key that exists only for this. */
async function withClientToken(accounts: string, account: string, work: (token: string) => Promise<void>): Promise<void> {
  const keys = `${accounts}/users/me/client-keys`
  const body = { name: 'Setting up the demo', scopes: ['eth-rpc'] }
  const { clientId, clientSecret } = await callApi<ClientKey>(keys, { token: account, method: 'POST', body })
  const grant = { grantType: 'clientCredentials', clientId, clientSecret }
  const { accessToken } = await callApi<{ accessToken: string }>(`${accounts}/auth/token`, { method: 'POST', body: grant })
  await work(accessToken)
  await callApi(`${keys}/${clientId}`, { token: account, method: 'DELETE' })
}
