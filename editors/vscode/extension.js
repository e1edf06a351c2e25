// @ts-check
// Starts `shisa lsp` for the languages, and `shisa dap` for debug sessions of the type "shisa".
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** The languages of the extension. */
const LANGUAGES = ['agal', 'pica200', 'maxwell', 'agx'];

/** @implements {vscode.DebugAdapterDescriptorFactory} */
class Adapters {
  /**
   * The command, unless the configuration names a port.
   * @param {vscode.DebugSession} session
   * @returns {vscode.DebugAdapterDescriptor}
   */
  createDebugAdapterDescriptor(session) {
    const folder = session.workspaceFolder;
    const command = vscode.workspace.getConfiguration('shisa', folder).get('command', 'shisa');
    const options = folder ? { cwd: folder.uri.fsPath } : undefined;
    return new vscode.DebugAdapterExecutable(command, ['dap'], options);
  }
}

/** @implements {vscode.DebugConfigurationProvider} */
class Configurations {
  /**
   * Completes a configuration: without one, the program is the open file. The input is asked for if it is missing, and no saved
   * session is opened.
   * @param {vscode.WorkspaceFolder | undefined} _folder
   * @param {vscode.DebugConfiguration} configuration
   * @returns {Promise<vscode.DebugConfiguration | undefined>}
   */
  async resolveDebugConfiguration(_folder, configuration) {
    const document = vscode.window.activeTextEditor?.document;
    if (!configuration.type && document && LANGUAGES.includes(document.languageId)) {
      const { fsPath } = document.uri;
      Object.assign(configuration, { type: 'shisa', request: 'launch', name: 'Shader', program: fsPath, stopOnEntry: true });
    }
    const { type, request, input, session } = configuration;
    if (type === 'shisa' && request === 'launch' && !input && !session) {
      const filters = { 'Inputs of runs': ['json'] };
      const [chosen] = (await vscode.window.showOpenDialog({ title: 'The input of the run', filters })) ?? [];
      if (!chosen) return undefined;
      configuration.input = chosen.fsPath;
    }
    return configuration;
  }
}

/**
 * The client of the language server.
 * @returns {LanguageClient}
 */
function languageClient() {
  const configuration = vscode.workspace.getConfiguration('shisa');
  const server = { command: configuration.get('command', 'shisa'), args: ['lsp'] };
  return new LanguageClient('shisa', 'shisa', server, {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    initializationOptions: { hints: configuration.get('hints') },
    synchronize: { configurationSection: 'shisa' },
  });
}

/**
 * Called by the editor when a document of the languages is opened or a session begins.
 * @param {vscode.ExtensionContext} context
 */
function activate(context) {
  const client = languageClient();
  // The client shows why the command cannot be started.
  client.start().catch(() => {});
  context.subscriptions.push(
    { dispose: () => client.stop() },
    vscode.debug.registerDebugAdapterDescriptorFactory('shisa', new Adapters()),
    vscode.debug.registerDebugConfigurationProvider('shisa', new Configurations()),
  );
}

module.exports = { activate };
