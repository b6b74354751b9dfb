import type { CommandRun } from '../command/command.js'
import { clockCheck, type DoctorCheck } from './doctor-check.js'

const TIMEOUT_MS = 5000

/** Checks that the platform can be reached and accepts the login. */
export async function checkPlatform(run: CommandRun): Promise<DoctorCheck[]> {
  const { session, fetch, now } = run
  const name = 'platform'
  const advice = 'Start a local platform: trestle up. Choose another: trestle login --url <url>, or TRESTLE_URL.'
  const before = now()
  try {
    const response = await fetch(`${session.url}/accounts`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const reached: DoctorCheck = {
      name,
      state: response.ok ? 'ok' : 'missing',
      found: `${session.url} responded with ${response.status}`,
      advice,
    }
    return [reached, clockCheck(response.headers.get('date'), before, now()), await loginCheck(run)]
  } catch {
    return [{ name, state: 'missing', found: `${session.url} cannot be reached`, advice }]
  }
}

async function loginCheck({ session }: CommandRun): Promise<DoctorCheck> {
  const name = 'login'
  const advice = 'trestle login'
  try {
    const api = session.api()
    // Each kind of login opens different endpoints.
    if (session.login === 'client') await api.accounts.tokens.issue({ body: { grantType: 'clientCredentials', ...pairOf(session) } })
    else await api.accounts.users.me()
    return { name, state: 'ok', found: session.login, advice }
  } catch (error) {
    return { name, state: 'missing', found: error instanceof Error ? error.message : String(error), advice }
  }
}

function pairOf({ client }: CommandRun['session']) {
  return { clientId: client?.clientId, clientSecret: client?.clientSecret }
}
