import { COMMAND_LINE_CLIENT, DEVICE_CODE_GRANT } from '@trestle/contracts/accounts/device-logins'
import { Problem } from '@trestle/problem/problem'
import { createTrestle, type Trestle } from '@trestle/sdk/trestle'
import type { CommandRun } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import type { Login } from '../profiles/profile.js'

/** RFC 8628 section 3.5: so much longer between two polls after each `slow_down`. */
const SLOWER_SECONDS = 5

/** Logs in with the browser of a user, who may be at another machine. */
export async function withBrowser(run: CommandRun, url: string): Promise<Login> {
  const { terminal, fetch } = run
  const trestle = createTrestle({ url, fetch })
  const { device_code, user_code, verification_uri_complete, interval, expires_in } = await trestle.accounts.deviceLogins.begin({
    body: { client_id: COMMAND_LINE_CLIENT },
  })
  terminal.note(
    `Open this page in a browser, on any machine:\n\n  ${verification_uri_complete}\n\nand confirm there that the code is ${user_code}.`,
  )
  const token = await polled(run, trestle, { deviceCode: device_code, interval, lifetime: expires_in })
  const { email } = await trestle.accounts.users.me({ token })
  return { kind: 'account', url, email, token }
}

interface Waiting {
  readonly deviceCode: string
  readonly interval: number
  readonly lifetime: number
}

async function polled({ pause }: CommandRun, trestle: Trestle, { deviceCode, interval, lifetime }: Waiting): Promise<string> {
  const body = { grant_type: DEVICE_CODE_GRANT, client_id: COMMAND_LINE_CLIENT, device_code: deviceCode }
  let seconds = interval
  for (let waited = 0; waited <= lifetime; waited += Math.max(seconds, 1)) {
    await pause(seconds * 1000)
    const answer = await trestle.accounts.tokens.oauthToken({ body }).catch(waitingProblem)
    if (!(answer instanceof Problem)) return answer.access_token
    if (answer.code === 'SlowDown') seconds += SLOWER_SECONDS
  }
  throw new Failure(EXIT.unauthenticated, 'Nobody confirmed the code in time.', 'Run it again: trestle login --browser')
}

/** The problems that pass with time; a code is valid for 10 minutes whatever happens to the connection. */
function waitingProblem(error: unknown): Problem {
  if (
    error instanceof Problem &&
    (['AuthorizationPending', 'SlowDown'].includes(error.code) || error.status >= 500 || error.status === 429)
  )
    return error
  throw error
}
