/// The requests without a reply; the raw values are their names in the X protocol and its
/// extensions.
enum RequestName: String {
  case createWindow = "CreateWindow"
  case destroyWindow = "DestroyWindow"
  case mapWindow = "MapWindow"
  case configureWindow = "ConfigureWindow"
  case changeWindowAttributes = "ChangeWindowAttributes"
  case clearArea = "ClearArea"
  case changeProperty = "ChangeProperty"
  case deleteProperty = "DeleteProperty"
  case grabServer = "GrabServer"
  case ungrabServer = "UngrabServer"
  case setSelectionOwner = "SetSelectionOwner"
  case createGC = "CreateGC"
  case freeGC = "FreeGC"
  case createPixmap = "CreatePixmap"
  case copyArea = "CopyArea"
  case putImage = "PutImage"
  case createColormap = "CreateColormap"
  case freeColormap = "FreeColormap"
  case shapeRectangles = "SHAPE:Rectangles"
  case shapeMask = "SHAPE:Mask"
  case shapeSelectInput = "SHAPE:SelectInput"
  case redirectWindow = "Composite:RedirectWindow"
  case unredirectWindow = "Composite:UnredirectWindow"
  /// A test: it fails if another client redirects the window manually.
  case tryManualRedirect = "Composite:RedirectWindow (manual)"
  case undoManualRedirect = "Composite:UnredirectWindow (manual)"
  case damageAdd = "DAMAGE:Add"
  case damageCreate = "DAMAGE:Create"
  case damageDestroy = "DAMAGE:Destroy"
  case damageSubtract = "DAMAGE:Subtract"
  case createRegion = "XFIXES:CreateRegion"
  case destroyRegion = "XFIXES:DestroyRegion"
  case selectSelectionInput = "XFIXES:SelectSelectionInput"
  case ungrabContacts = "XInputExtension:XIPassiveUngrabDevice"
  case acceptTouch = "XInputExtension:XIAllowEvents"
  case setInputFocus = "SetInputFocus"
  case selectRandREvents = "RANDR:SelectInput"
  case selectScreenSaverEvents = "MIT-SCREEN-SAVER:SelectInput"
  case shmAttach = "MIT-SHM:AttachFd"
  case shmDetach = "MIT-SHM:Detach"
  case shmPutImage = "MIT-SHM:PutImage"
}

/// A request without a reply that was sent.
struct SentRequest {
  let sequence: RequestSequence
  let name: RequestName
  /// The window or pixmap of the request.
  let subject: UInt32
  /// A second window of the request.
  let sibling: UInt32?
}

/// The sent requests that may still fail, in order.
struct RequestLog {
  private var requests = Fifo<SentRequest>()

  mutating func append(_ request: SentRequest) { requests.append(request) }

  /// Removes the requests before one that the server has reached.
  mutating func removeAll(before sequence: RequestSequence) {
    while let first = requests.first, isLater(sequence, than: first.sequence) {
      requests.removeFirst()
    }
  }

  /// Whether it has a request about a window or pixmap that is later than another one.
  func contains(
    _ name: RequestName, about subject: UInt32, after sequence: RequestSequence
  ) -> Bool {
    requests.first {
      $0.name == name && $0.subject == subject && isLater($0.sequence, than: sequence)
    } != nil
  }

  /// The request with a sequence number; nil if it is not in the log.
  func request(numbered sequence: RequestSequence) -> SentRequest? {
    requests.first { $0.sequence == sequence }
  }
}

/// A queue in an array: append and remove in amortised constant time.
struct Fifo<Element> {
  private var elements: [Element] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }

  func first(where isWanted: (Element) -> Bool) -> Element? {
    elements[head...].first(where: isWanted)
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() {
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, 2 * head >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
  }
}
