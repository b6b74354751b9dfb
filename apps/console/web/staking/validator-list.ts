import type { Validator, ValidatorStatus } from '@trestle/contracts/staking/validators'
import { sumOf } from '../parts/amount.js'
import { isChanging } from './lifecycle.js'

/** Those that have the text in what one knows them by, and the status. */
export function filterValidators(
  validators: readonly Validator[],
  text: string,
  status: ValidatorStatus | undefined,
): readonly Validator[] {
  const searched = text.trim().toLowerCase().replace(/^0x/, '')
  return validators.filter(
    (validator) => (!status || validator.status === status) && (!searched || namesOf(validator).some((name) => name.includes(searched))),
  )
}

export function validatorTotals(validators: readonly Validator[]) {
  const count = (...statuses: ValidatorStatus[]) => validators.filter(({ status }) => statuses.includes(status)).length
  return {
    balance: sumOf(validators.map(({ balance }) => balance)),
    active: count('active'),
    pending: count('pending'),
    leaving: count('exiting', 'exited'),
    troubled: count('slashed', 'unknown'),
  }
}

/** A long list is refreshed less often: it is a few megabytes. */
export function refreshMs(validators: readonly Validator[] | undefined): number {
  if (!validators || validators.length > 200) return 30_000
  return validators.some(isChanging) ? 4000 : 15_000
}

/** The APR of each validator in percent, by its key. Only the report has it for all at once. */
export function aprsOf(report: string): ReadonlyMap<string, number> {
  const [header = [], ...rows] = report
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map(fieldsOf)
  const [pubkey, apr, activated] = ['pubkey', 'apr', 'activatedAt'].map((name) => header.indexOf(name))
  if (pubkey === undefined || pubkey < 0 || apr === undefined || apr < 0) return new Map()
  const begun = rows.filter((row) => activated === undefined || row[activated] !== '')
  return new Map(begun.map((row) => [row[pubkey] ?? '', Number(row[apr])]))
}

function namesOf({ pubkey, index, withdrawalAddress, feeAddress, region }: Validator): string[] {
  return [pubkey, index === null ? '' : String(index), withdrawalAddress.slice(2), feeAddress.slice(2), region].map((name) =>
    name.toLowerCase(),
  )
}

/** RFC 4180, without lines that go on in the next: keys and numbers have none. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}
