import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { quantile } from '../src/load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { report, rounded } from '../src/report.ts'

// A session is ended at one replica of accounts. How long is its token accepted elsewhere, counted from that answer? The replica that
// ended it is the baseline: it needs no message.

const LIMIT_MS = 2_000
const ROUNDS = 50
const PAUSE_MS = 5

const platform = await startBenchPlatform(['accounts', 'staking'])
const second = await platform.startReplica('accounts')
const staking = platform.info.services['staking']?.url ?? ''
const PLACES = {
  'accounts, the same replica': `${platform.accounts.url}/users/me`,
  'accounts, another replica': `${second.url}/users/me`,
  staking: `${staking}/staking/ethereum/chains`,
}

const millis = new Map<string, number[]>(Object.keys(PLACES).map((place) => [place, []]))
for (let round = 0; round < ROUNDS; round++) {
  const headers = { authorization: `Bearer ${await platform.signIn()}` }
  for (const url of Object.values(PLACES)) if (!(await isAccepted(url, headers))) throw new Error(`${url} refuses a new token`)
  const ended = await request(`${platform.accounts.url}/users/me/sessions`, { method: 'DELETE', headers })
  await ended.body.dump()
  const since = performance.now()
  await Promise.all(
    Object.entries(PLACES).map(async ([place, url]) => {
      while (await isAccepted(url, headers)) await pause(PAUSE_MS)
      millis.get(place)?.push(performance.now() - since)
    }),
  )
}
await second.stop()
await platform.stop()

const rows = [...millis].map(([where, times]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    where,
    'p50 ms': rounded(quantile(sorted, 0.5)),
    'p99 ms': rounded(quantile(sorted, 0.99)),
    'max ms': rounded(sorted.at(-1) ?? 0),
  }
})
report({
  name: 'revocation',
  target: `the token of an ended session is refused after ${LIMIT_MS / 1000} s, at any replica of any service`,
  met: rows.every((row) => row['max ms'] <= LIMIT_MS),
  rows,
})

async function isAccepted(url: string, headers: Record<string, string>): Promise<boolean> {
  const { statusCode, body } = await request(url, { headers })
  await body.dump()
  return statusCode === 200
}
