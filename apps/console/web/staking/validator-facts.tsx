import type { Validator } from '@trestle/contracts/staking/validators'
import { Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { Panel } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { stakingTexts } from '../texts/staking.js'
import { formatEth } from './money.js'

const texts = stakingTexts.validator

export function ValidatorFacts({ validator }: { validator: Validator }) {
  const { balance, effectiveBalance, index, withdrawalAddress, feeAddress, compounding, asOf } = validator
  return (
    <Panel title={texts.facts}>
      <FactList
        facts={[
          [texts.balance, formatEth(balance)],
          [texts.effective, formatEth(effectiveBalance)],
          [texts.index, index ?? texts.noIndex],
          [texts.kind, texts.kinds[compounding ? 'compounding' : 'execution']],
          [texts.withdrawal, <Hash key="withdrawal" value={withdrawalAddress} />],
          [texts.fee, <Hash key="fee" value={feeAddress} />],
          [texts.asOf, asOf === null ? texts.never : <Time key="time" value={asOf} />],
        ]}
      />
    </Panel>
  )
}
