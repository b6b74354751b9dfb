import { Checkbox, Stack, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import type { OrganizationPolicy } from '@trestle/contracts/accounts/policies'
import { APPROVABLE_PERMISSIONS, PERMISSIONS } from '@trestle/contracts/permissions'
import { useState } from 'react'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { ORGANIZATIONS } from '../platform/use-organizations.js'
import { approvalTexts as texts } from '../texts/approvals.js'
import { isChanged, withMembers } from './policy-form.js'
import { isOwner } from './roles.js'

export function PolicyPanel({ own }: { own: Organization }) {
  const policy = useQuery({
    queryKey: [...ORGANIZATIONS, own.id, 'policy'],
    queryFn: () => platformClient.accounts.policies.get({ params: { id: own.id } }),
  })
  return (
    <Panel title={texts.policy} text={texts.policyText}>
      <Loaded query={policy} rows={2}>
        {(saved) => <PolicyForm own={own} saved={saved} key={JSON.stringify(saved)} />}
      </Loaded>
    </Panel>
  )
}

function PolicyForm({ own, saved }: { own: Organization; saved: OrganizationPolicy }) {
  const client = useQueryClient()
  const [form, setForm] = useState(saved)
  const saving = useMutation({
    mutationFn: () => platformClient.accounts.policies.set({ params: { id: own.id }, body: form }),
    onSuccess: async () => {
      notifications.show({ message: texts.saved })
      await client.invalidateQueries({ queryKey: ORGANIZATIONS })
    },
  })
  const isReadOnly = !isOwner(own.roles)
  return (
    <SubmitForm
      action={texts.save}
      submission={saving}
      problem={saving.error}
      disabled={isReadOnly || !isChanged(form, saved)}
      button="right"
    >
      <Switch
        label={texts.factor}
        description={texts.factorText}
        checked={form.requireSecondFactor}
        disabled={isReadOnly}
        onChange={({ currentTarget: { checked } }) => setForm({ ...form, requireSecondFactor: checked })}
      />
      <Checkbox.Group
        label={texts.approvals}
        description={texts.approvalsText}
        value={form.approvals}
        onChange={(chosen) => setForm({ ...form, approvals: withMembers(chosen) })}
      >
        <Stack mt="xs" gap="xs">
          {APPROVABLE_PERMISSIONS.map((permission) => (
            <Checkbox key={permission} value={permission} label={PERMISSIONS[permission]} disabled={isReadOnly} />
          ))}
        </Stack>
      </Checkbox.Group>
    </SubmitForm>
  )
}
