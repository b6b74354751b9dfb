import { Group, Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import type { Permission } from '@trestle/contracts/permissions'
import { useState } from 'react'
import { may } from '../accounts/roles.js'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Panel } from '../parts/panel.js'
import { useOrganizations } from '../platform/use-organizations.js'
import { organizationTexts } from '../texts/organization.js'

const texts = organizationTexts.transfer

interface TransferPanelProps {
  /** Such as "this node". */
  what: string
  text?: string
  /** Who owns it now. */
  organizationId: string | undefined
  /** What the user needs in the other organization. */
  permission: Permission
  /** Transfers it, and leads away from its page. */
  onTransfer: (organization: string) => Promise<unknown>
}

/** Gives something to another organization in which the user may have it. */
export function TransferPanel({ what, text = texts.text, organizationId, permission, onTransfer }: TransferPanelProps) {
  const { data = [] } = useOrganizations()
  const others = data.filter((each) => each.id !== organizationId && may(each, permission))
  const [chosen, choose] = useState<string | null>(null)
  const other = others.find(({ id }) => id === chosen)
  async function transfer(to: Organization) {
    await onTransfer(to.id)
    notifications.show({ message: texts.done(nameOf(to)) })
  }
  return (
    <Panel title={texts.title} text={text}>
      {others.length === 0 ? (
        <Text size="sm">{texts.none}</Text>
      ) : (
        <Group align="flex-end">
          <Select
            label={texts.to}
            placeholder={texts.choose}
            data={others.map((each) => ({ value: each.id, label: nameOf(each) }))}
            value={chosen}
            onChange={choose}
          />
          <ConfirmButton
            action={texts.action}
            title={texts.question(what, other ? nameOf(other) : '')}
            disabled={!other}
            onConfirm={async () => other && (await transfer(other))}
          >
            <Text>{texts.consequence(other ? nameOf(other) : '')}</Text>
          </ConfirmButton>
        </Group>
      )}
    </Panel>
  )
}

function nameOf({ name, personal }: Organization): string {
  return personal ? texts.personal : name
}
