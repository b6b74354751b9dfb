import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SecondFactor, SecondFactors } from '@trestle/contracts/accounts/second-factors'
import { useState } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { AddAppDialog } from '../second-factors/add-app-dialog.js'
import { AddPasskeyDialog } from '../second-factors/add-passkey-dialog.js'
import { canUsePasskeys } from '../second-factors/passkeys.client.js'
import { RecoveryCodes } from '../second-factors/recovery-codes.js'
import { useFactorsChange, useSecondFactors } from '../second-factors/use-factors.js'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'

export function SecondFactorsSection() {
  const factors = useSecondFactors()
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <Panel title={texts.title} text={texts.text}>
      <Loaded query={factors}>
        {(given) => (
          <>
            <DataTable label={texts.list} rows={given.factors} columns={COLUMNS} keyOf={({ id }) => id} empty={texts.none} />
            <Additions {...given} onCodes={setCodes} />
            {given.factors.length > 0 && <CodesLeft count={given.recoveryCodes} onCodes={setCodes} />}
          </>
        )}
      </Loaded>
      <Modal opened={codes !== undefined} onClose={() => undefined} title={texts.recoveryTitle} withCloseButton={false} size="lg">
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      </Modal>
    </Panel>
  )
}

const COLUMNS: readonly Column<SecondFactor>[] = [
  { name: 'name', header: texts.name, cell: ({ name }) => name, width: '2fr' },
  { name: 'kind', header: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
  { name: 'created', header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'used', header: texts.used, cell: ({ usedAt }) => usedAt && <Time value={usedAt} /> },
  { name: 'remove', header: texts.actions, cell: (factor) => <Remove factor={factor} />, width: '120px', align: 'right' },
]

function Additions({ factors, onCodes }: SecondFactors & { onCodes: (codes: readonly string[] | undefined) => void }) {
  const [adding, setAdding] = useState<SecondFactor['kind']>()
  const changed = useFactorsChange()
  const onClose = () => setAdding(undefined)
  const onAdded = async (codes?: readonly string[]) => {
    onClose()
    onCodes(codes)
    notifications.show({ message: texts.added })
    await changed()
  }
  const dialog = { isFirst: factors.length === 0, onClose, onAdded }
  return (
    <Group>
      <Button variant="light" onClick={() => setAdding('totp')}>
        {factors.some(({ kind }) => kind === 'totp') ? texts.replaceApp : texts.addApp}
      </Button>
      {canUsePasskeys() ? (
        <Button variant="light" onClick={() => setAdding('passkey')}>
          {texts.addPasskey}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.noPasskeys}
        </Text>
      )}
      <AddAppDialog {...dialog} opened={adding === 'totp'} />
      <AddPasskeyDialog {...dialog} opened={adding === 'passkey'} />
    </Group>
  )
}

function CodesLeft({ count, onCodes }: { count: number; onCodes: (codes: readonly string[]) => void }) {
  const changed = useFactorsChange()
  async function replace() {
    const { recoveryCodes } = await platformClient.accounts.secondFactors.replaceRecoveryCodes()
    onCodes(recoveryCodes)
    await changed()
  }
  return (
    <Group>
      <Text>{texts.codesLeft(count)}</Text>
      <ConfirmButton action={texts.newCodes} title={texts.newCodesTitle} size="xs" color="blue" onConfirm={replace}>
        <Text>{texts.newCodesText}</Text>
      </ConfirmButton>
    </Group>
  )
}

function Remove({ factor: { id, name } }: { factor: SecondFactor }) {
  const changed = useFactorsChange()
  async function remove() {
    await platformClient.accounts.secondFactors.remove({ params: { id } })
    await changed()
  }
  return (
    <ConfirmButton action={texts.remove} title={texts.removeTitle(name)} size="xs" onConfirm={remove}>
      <Text>{texts.removeText}</Text>
    </ConfirmButton>
  )
}
