-- Loads the configuration that the book's chapter on editors has, and uses the language server as a person does.
-- `cargo xtask dap` runs it in a Neovim without a window, in the root of the repository, with the command first in PATH.

-- How long an answer may take, in milliseconds.
local TIMEOUT = 20000

-- Neovim 0.7 has the first two functions in another form.
vim.g.do_filetype_lua = 1
vim.lsp.start = vim.lsp.start or function(config)
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end
local format = vim.lsp.buf.format or vim.lsp.buf.formatting_sync
local clients = vim.lsp.get_clients or vim.lsp.get_active_clients

local function wait(what, condition)
  assert(vim.wait(TIMEOUT, condition, 10), what .. ': nothing came in ' .. TIMEOUT .. ' ms')
end

-- Opens a file with a text, and waits for the findings; returns their codes.
local function open(name, text)
  vim.cmd('edit! ' .. name)
  local buffer = vim.api.nvim_get_current_buf()
  local found
  vim.api.nvim_create_autocmd('DiagnosticChanged', { buffer = buffer, callback = function() found = vim.diagnostic.get(buffer) end })
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, vim.split(text, '\n'))
  wait('findings about ' .. name, function() return found ~= nil end)
  return vim.tbl_map(function(one) return one.code or one.user_data.lsp.code end, found)
end

local function read(path)
  return table.concat(vim.fn.readfile(path), '\n')
end

-- Puts the cursor on the first occurrence of a text, and returns the result of a request at it.
local function ask(method, text, more)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. text, 'cW') > 0, text)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), more or {})
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, TIMEOUT))
  for _, answer in pairs(answers) do
    assert(answer.error == nil, vim.inspect(answer.error))
    return answer.result
  end
end

local function lines()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
end

local function test()
  vim.cmd('filetype on')
  local chapter = read('docs/book/src/editors.md')
  assert(loadstring(assert(chapter:match('## Neovim.-```lua\n(.-)```'))))()
  for name, mnemonic in pairs({ ['fog.frag.agal'] = 'mul', ['flat.v.pica'] = 'dp4', ['saxpy.maxwell'] = 'FFMA', ['collatz.agx'] = 'imadd' }) do
    open('checked-' .. name, read('examples/' .. name))
    assert(#vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0, name)
    local hover = ask('textDocument/hover', mnemonic)
    assert(hover.contents.value:find(mnemonic, 1, true), vim.inspect(hover))
    local labels = vim.tbl_map(function(item) return item.label end, ask('textDocument/completion', mnemonic).items)
    assert(vim.tbl_contains(labels, mnemonic), name)
  end

  open('renamed.agx', read('examples/collatz.agx'))
  local definition = ask('textDocument/definition', 'step:')
  assert(definition.range.start.line + 1 == vim.fn.line('.'), vim.inspect(definition))
  local edit = ask('textDocument/rename', 'step:', { newName = 'again' })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  assert(lines():find('again:', 1, true) and not lines():find('step:', 1, true), lines())

  local codes = open('faulty.agal', '// agal 1 fragment\nmvo oc, v0\n')
  assert(vim.deep_equal(codes, { 'asm-unknown-opcode' }), vim.inspect(codes))
  local at = { line = 1, character = 0 }
  local actions = ask('textDocument/codeAction', 'mvo', { range = { start = at, ['end'] = at }, context = { diagnostics = {} } })
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  assert(lines():find('mov oc, v0', 1, true), lines())
  wait('no findings', function() return #vim.diagnostic.get(0) == 0 end)
  vim.api.nvim_buf_set_lines(0, 1, 2, true, { 'mov   oc,v0' })
  format()
  assert(lines():find('mov oc, v0', 1, true), lines())

  for _, client in pairs(clients()) do client.stop() end
  wait('the end of the server', function() return next(clients()) == nil end)
end

local ok, message = xpcall(test, debug.traceback)
print(ok and 'Neovim: all tests passed\n' or message .. '\n')
vim.cmd(ok and 'qall!' or 'cquit!')
