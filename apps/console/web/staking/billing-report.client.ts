import { BillingEntry, reports } from '@trestle/contracts/staking/reports'
import { replyOf, validated } from '@trestle/sdk/answer'
import { z } from 'zod'
import { own } from '../platform/client.js'

export interface BillingRange {
  readonly fromDate: string
  readonly toDate: string
}

const Entries = z.array(BillingEntry)

export async function readBilling(range: BillingRange): Promise<readonly BillingEntry[]> {
  return validated(Entries, await read(range, 'application/json'), staking) as BillingEntry[]
}

export function readBillingCsv(range: BillingRange): Promise<string> {
  return read(range, 'text/csv')
}

const staking = 'The billing report'

/** In the form that is asked for; the sdk has no way to ask for another than JSON. */
async function read(range: BillingRange, accept: string): Promise<string> {
  const response = await own(`/api${reports.billing.path}?${new URLSearchParams({ ...range })}`, { headers: { accept } })
  const text = await response.text()
  if (!response.ok) replyOf(reports.billing, { status: response.status, headers: response.headers, text })
  return text
}
